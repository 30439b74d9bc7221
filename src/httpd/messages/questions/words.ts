/**
 * What people say for one thing, in English, German, French, Spanish and Italian, and the words that the questions are known by.
 * Letters with accents are `_`, and may be left out by whoever types.
 */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:won.?t|do(?:es)?(?: not|n.?t)|can(?:not|n.?t)|can not|fails? to|failed to|failing to|refuses? to|no longer|not) (?:re)?start(?:s|ing)?\b|\b(?:re)?startet\b[^.?!:\n]{0,60}? nicht\b|\bnicht (?:mehr )?(?:starten|gestartet)\b|\bne (?:re)?d[e_]marre(?:nt)? (?:plus|pas)\b|\bno (?:arranca|inicia)\b|\bnon (?:parte|si avvia)\b/gi,
    'does not start',
  ],
  [/\b(?<![.\w])[vV](?=2\.[24]\b)/g, ''],
  [/\bauthoris/gi, 'authoriz'],
  [/\b(?:neither|none|nothing)(?: of \w+)?(?: \w+)? work(?:s|ed)\b/gi, 'does not work'],
  [/\binternal errors?\b/gi, 'internal server error'],
  [/\bht{1,2}ac{1,2}es{1,2}\b/gi, 'htaccess'],
  [
    /\b(?:is|are|being|gets?|get) ignored\b|\b(?:not|no longer|never|isn.?t|aren.?t|won.?t) (?:be |being |get )?(?:loaded|read|applied|used|honou?red|respected|picked up|taken into account|considered)\b|\b(?:ignoriert|ignor[e_]e?s?|ignorad[oa]s?|ignorat[oaie])\b|\bnicht (?:mehr )?(?:beachtet|gelesen|geladen|ber_?u?cksichtigt|angewen?de?t|ausgewertet)\b|\b(?:n.est|ne sont|n.sont) (?:plus|pas) (?:lue?s?|prise?s? en compte|charg[e_]e?s?|appliqu[e_]e?s?)|\bno (?:se )?(?:carga|lee|aplica|reconoce)n?\b/gi,
    'ignored',
  ],
  [
    /\b(?:stop(?:s|ped)|ceased|quit) (?:to )?work(?:ing)?\b|\b(?:no longer|not|don.?t|won.?t|isn.?t|aren.?t|doesn.?t|didn.?t|never) work(?:s|ing)?(?: any ?more)?\b|\bnicht (?:mehr )?funktionier\w*|\bne (?:fonctionn|march)\w{1,6} (?:plus|pas)\b|\b(?:ya )?no (?:me )?funciona\w*|\bdej(?:a|_|o|aron) de funcionar\b|\bnon funziona(?:no)?\b/gi,
    'does not work',
  ],
  [/\b(?:could|can)(?:not| not|n.t) (?:get|make) ((?:[\w.-]+ ){1,4}?)(?:to )?work(?:ing)?\b/gi, '$1does not work'],
  [
    /\b(?:funktionier(?:t|en)|geht|gehen|l_uft|laufen)\b([^?!\n]{0,80}?) nicht\b(?: mehr)?/gi,
    'does not work$1',
  ],
  [
    /\bverboten\b|\bzugriff (?:wurde )?(?:verweigert|verwehrt)\b|\bkeine(?:n)? (?:berechtigung|zugriff|zugang)\b|\bacc[e_]?s (?:refus|interdit|non autoris)\w*|\bn.avez pas (?:l.autorisation|la permission|le droit|les droits|acc[e_]s)\b|\b(?:acceso|accesso) (?:denegado|prohibido|negato|vietato)\b|\bprohibido\b|\bno tiene(?:s)? permisos?\b/gi,
    'forbidden',
  ],
  [/(?: not|n.t)(?: (?:seem|appear)(?: to)?)?(?: be(?:ing)?)? (?:execut|interpret|pars|render|process)(?:e|ed|ing)\b/gi, ' not executed'],
  [/\bung_?u?e?ltiger? (?:befehl|direktive)\b|\bcommande (?:invalide|inconnue)\b|\bcomando (?:inv_?a?lido|no v_?a?lido|non valido)\b/gi, 'invalid command'],
  [/\bnicht gefunden\b|\bintrouvable\b|\bno (?:se )?(?:ha )?encontrad[oa]\b|\bnon trovat[oa]\b/gi, 'not found'],
  [/\b(?:passwort|kennwort|passwd|pw)(?:abfrage|eingabe)?\b|\bmots? de passe\b|\bcontrase(?:_|n)a\b|\b(?:user |login )?credentials\b/gi, 'password'],
  [/\b(?:jeder|jedermann|alle)\b|\btout le monde\b|\b(?:todo el mundo|cualquiera)\b|\btutti\b/gi, 'everybody'],
  [/\b(?:fragt|verlangt) (?:nicht mehr|kein\w*|nicht) (?:nach )?(?:dem |einem )?password\b|\bne (?:me |nous )?demande (?:plus|pas) (?:le |de |un )?password\b|\bno (?:me |nos |se )?pide (?:la |una )?password\b|\bnon (?:mi |ci )?chiede (?:pi\w* )?(?:la )?password\b|\b(?:does not|doesn.?t|no longer|never|not|stopped) (?:being )?ask(?:s|ed|ing)? (?:me |us |anybody |anyone )?for (?:a |the |any )?password\b|\basks? (?:me |us |anybody |anyone )?for no password\b/gi, 'without a password'],
  [/\b(?:login|password|auth\w*|sign-?in) (?:prompt|dialog\w*|window|pop-?up|box)\b.{0,30}?(?:\b(?:not|never|no longer)|n.t)\b.{0,12}?\b(?:appear\w*|shown?|pop\w*|com(?:e|ing)|displayed)\b|\bno (?:login|password|auth\w*) (?:prompt|dialog\w*|window|pop-?up|box)\b/gi, 'without a password'],
  [/\b(?:nobody|no ?one|no user) (?:gets|sees|is shown)(?: an?| the| any)? (?:login|password|auth\w*) (?:prompt|dialog\w*|window|pop-?up|box)\b/gi, 'without a password'],
  [/\bohne password\b|\bsans (?:le )?password\b|\bsin (?:la )?password\b|\bsenza password\b/gi, 'without a password'],
  [/\bherunter(?:ge)?l(?:a|_|ae)d\w*|\bt[e_]l[e_]charg\w*|\bdescarg\w*|\bscaric\w*/gi, 'downloads'],
  [/\b(?:quelltext|quellcode|code source|c_digo fuente)\b/gi, 'source'],
  [/\bdefault (?:(?:debian|ubuntu|apache2?|centos|fedora|web|server) ){1,3}page\b|\b(?:standardseite|startseite|page par d_?e?faut|p_?a?gina (?:por defecto|predeterminada))\b/gi, 'default page'],
  [/\b(?:weiterleitungsschleife|umleitungsfehler|boucle de redirection|demasiadas redirecciones|redirig_? vous de mani_re incorrecte)\b/gi, 'redirect loop'],
  [/\b(?:hinter|derri[e_]re|detr[a_]s de|dietro) (?:einem|dem|un|une|le|el|la)?/gi, 'behind a '],
  [/\b(is|are|was|were|do|does|did|has|have|had|could|should)n.t\b/gi, '$1 not'],
]; // prettier-ignore

/** Characters of UTF-8 that are no letters with accents: another script, or marks of its typesetting. They end a word. */
const OTHER_SCRIPT = /(?:[\xd0-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})+/g;

/** A question in the words that it is known by. @param text bytes */
export function plainWords(text: string): string {
  const letters = text.replace(OTHER_SCRIPT, ' ').replace(/[\x80-\xff]+/g, '_');
  return WORDS.reduce((said, [pattern, word]) => said.replace(pattern, word), letters);
}
