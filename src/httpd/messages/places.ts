import type { MessageShape } from './shape';
import { LEVEL_ALONE } from './syntax';

/** Lines where they may not stand, sections that are not closed, and words that are too many or too few. */
export const PLACE_MESSAGES: readonly MessageShape[] = [
  {
    pattern: /<\/?\w[^<>]*>[ \t]*<\/?\w[^<>]*>? directive missing closing '>'/,
    remedy:
      'begin a new line before the second <: a closing line and an opening one stand in one line, and httpd takes both for one',
  },
  {
    pattern: /(?<section><\/\w+)>? directive missing closing '>'/,
    remedy:
      'write `$<section>>` alone in its line: a closing line takes no argument, and nothing stands behind its >',
  },
  {
    pattern: /directive missing closing '>'/,
    remedy: 'end the line that opens the section with >: here it has none',
  },
  {
    pattern:
      /(?<!\/[^:\s]*?|\bline \d+ of [^:]{0,400})(?<file>\/[^:]{0,400}(?<!\.conf)|\.htaccess): ["'<]?(?<directive>[^\s<>"']{1,80})>? not allowed (?:here|in <\S+ context)|\b(?<asked>[A-Za-z]+) not allowed here\b.*\.htaccess/,
    rule: 'allow-override-unset',
    remedy:
      'set AllowOverride for this directory so that a .htaccess may have the line, or remove the line: where no section sets AllowOverride, 2.4 accepts none',
  },
  {
    pattern: /<Limit(?:Except)?>? not allowed here/,
    rule: 'limit-at-server-level',
    remedy: 'move the lines out of the <Limit>, which limits nothing outside of directories',
  },
  {
    pattern: /was not closed/,
    rule: 'backslash-line-end',
    remedy:
      'add the closing line; if it is there, a backslash at the end of the line above joins the two: remove the backslash',
  },
  {
    pattern: /["'<]?(?<directive>[^\s<>"']{1,80})>? not allowed in <(?<section>VirtualHost)> context/,
    rule: 'misplaced-directive',
    owned: true,
    remedy:
      'move the line out of this place, the <$<section>> by itself, into the server configuration, or a <Directory> where it is for one, or remove it',
  },
  {
    pattern: /["'<]?(?<directive>[^\s<>"']{1,80})>? not allowed in <(?<section>[A-Za-z]+)> context/,
    rule: 'misplaced-directive',
    owned: true,
    remedy:
      'move the line out of this place, the <$<section>>, into the virtual host around it or the server configuration, or remove it',
  },
  {
    pattern:
      /["'<]?(?<directive>[^\s<>"']{1,80})>? (?:(?:is |are )?not allowed (?:here|in <\S+ context)|cannot occur within)/,
    rule: 'misplaced-directive',
    owned: true,
    remedy: 'move the line to a place where 2.4 accepts it, or remove it',
  },
  {
    pattern: /error: envclause should be in the form env=/,
    remedy:
      'leave `expr=…` out of the Header line, or put the line into `<IfVersion >= 2.4.10>`: this httpd is a 2.2, or older than that release, and takes `env=NAME` there alone (`httpd -v`)',
  },
  {
    pattern: /(?<word>[A-Za-z]\w{1,80}) has too many arguments/,
    remedy:
      'put each argument of $<word> that has a blank or a quotation mark in it into quotation marks (`"expr=%{HTTP:X} == \'a b\'"`, within them \\" for "), or take out what is one too many: httpd ends an argument at a blank',
  },
  {
    pattern:
      /(?<word>[A-Z]\w{1,80}) can ?not have a (?:balancer |worker )?(?:name|path) when defined in a location/,
    remedy:
      'take the first argument of $<word> out: within <Location> or <Proxy> the section itself names the path or the balancer, and the line only the rest (`ProxyPass http://BACKEND/`, `BalancerMember http://BACKEND`)',
  },
  {
    pattern: /bad expires code(?:, unrecogni[sz]ed <?\w+>? '(?<word>\d+)')?/,
    rule: 'strict-argument',
    remedy:
      'write `A$<word>` with the seconds behind the A (from the access; M: from the last change), or words, `"access plus 2 hours"`: a number alone is none of these',
  },
  {
    pattern: /(?<directive>RewriteBase) takes one argument/,
    remedy:
      'write one word, the path of the URL by which this directory is reached (`RewriteBase /`, or `RewriteBase /app/`), or remove the line: here stands none, as a program that fills it in leaves it, or several',
  },
  {
    pattern: /<(?<section>[A-Za-z]\w+)>? takes one argument/,
    remedy:
      'write one word between `<$<section>` and its >, in quotation marks where it has blanks, and what follows the > into a line of its own: this one has several words, or none',
  },
  {
    pattern: /CustomLog takes two or three arguments/,
    remedy:
      'write a file and a format (`CustomLog logs/access_log combined`), each in quotation marks where it has blanks, and no more than `env=NAME` or expr= behind them; with the file alone write TransferLog, which takes the format of the last LogFormat line',
  },
  {
    pattern: /(?<directive>SSL(?:Proxy)?CipherSuite) takes one argument/,
    remedy:
      'write the list of ciphers alone: this httpd is older than 2.4.36, and takes no word such as TLSv1.3 before it. Remove the line for TLSv1.3, or update httpd and OpenSSL (1.1.1); a list with blanks in it stands in quotation marks',
  },
  { pattern: /LogLevel requires level keyword: one of .{1,80}\bdebug\s*$/, remedy: LEVEL_ALONE },
  {
    pattern:
      /(?<directive>\S{1,80}) (?:takes (?:one|two|three|1|2|no|at least)|requires (?:an?|one|two|three|additional|at least|\d+) )/,
    rule: 'misplaced-directive',
    owned: true,
    remedy:
      'write the arguments that the message names, no more and no fewer: 2.4 counts them, with words of several parts in quotation marks. A template may have left one empty, and a comment behind the line counts as well: it stands in a line of its own',
  },
];
