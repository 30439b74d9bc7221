/** A program that a handler hands files to, and the modules that register the handler. */
export interface HandlerModule {
  /** The language, as messages name it. */
  readonly language: string;
  /** Identifiers of modules with such a handler. None of them comes with httpd. */
  readonly modules: readonly string[];
}

/** The handlers of httpd's own modules, 2.2 and 2.4, and what is no handler (modules/**: hook_handler). */
const OF_HTTPD = new Set([
  'balancer-manager', 'cgi-script', 'default-handler', 'form-login-handler', 'form-logout-handler', 'form-redirect-handler', 'heartbeat',
  'imap-file', 'isapi-handler', 'ldap-status', 'lua-script', 'md-status', 'none', 'proxy-server', 'send-as-is', 'server-info', 'server-parsed',
  'server-status', 'type-map', 'application/x-httpd-cgi', 'application/x-httpd-imap', 'application/x-type-map', 'httpd/send-as-is',
  'httpd/unix-directory', 'text/x-server-parsed-html', 'text/x-server-parsed-html3',
]); // prettier-ignore

/** PHP's module as the releases of PHP call it (sapi/apache2handler/mod_php5.c, mod_php7.c, mod_php.c). */
export const PHP_MODULES = ['php5_module', 'php7_module', 'php_module'] as const;

/** The directives by which PHP as a module takes settings of php.ini (sapi/apache2handler/apache_config.c). */
export const PHP_SETTINGS = ['php_value', 'php_flag', 'php_admin_value', 'php_admin_flag'] as const;

const PHP: HandlerModule = { language: 'PHP', modules: PHP_MODULES };

/** Handlers of modules that are not httpd's, by pattern: the first that matches. */
const TABLE: readonly (readonly [RegExp, HandlerModule])[] = [
  [/php|phtml/, PHP],
  [/^(?:perl-script|modperl)$|embperl|x-httpd-perl$/, { language: 'Perl', modules: ['perl_module'] }],
  [/^(?:python-program|mod_python)$|x-httpd-psp$/, { language: 'Python', modules: ['python_module'] }],
  [/^wsgi-script$/, { language: 'Python', modules: ['wsgi_module'] }],
  [/ruby|rhtml$/, { language: 'Ruby', modules: ['ruby_module'] }],
  [/^fcgid-script$/, { language: 'FastCGI', modules: ['fcgid_module'] }],
  [/^fastcgi-script$/, { language: 'FastCGI', modules: ['fastcgi_module', 'fcgid_module'] }],
  [/^(?:jakarta-servlet2?|ajp13)$|x-httpd-jsp$/, { language: 'Java', modules: ['jk_module'] }],
  [/^weblogic-handler$/, { language: 'Java', modules: ['weblogic_module'] }],
  [/^cfml$|coldfusion|jrun-handler|x-httpd-cfm/, { language: 'ColdFusion', modules: ['jrun_module', 'coldfusion_module'] }],
  [/^mono$/, { language: 'ASP.NET', modules: ['mono_module'] }],
  [/x-httpd-(?:tcl|rivet)$/, { language: 'Tcl', modules: ['rivet_module'] }],
  [/^scgi-handler$/, { language: 'SCGI', modules: ['scgi_module'] }],
  [/^uwsgi-handler$/, { language: 'uWSGI', modules: ['uwsgi_module'] }],
]; // prettier-ignore

/** Names of files that hold PHP, whatever module runs them. */
const PHP_EXTENSION = /^(?:php[0-9]?|pht|phtml|phar)$/;

/**
 * What a handler, or a type in its place, hands files to; undefined for httpd's own, and for types of content.
 * @param extensions the names that it is for, as `php`
 */
export function handlerModule(name: string, extensions: readonly string[] = []): HandlerModule | undefined {
  const key = name.toLowerCase();
  if (OF_HTTPD.has(key) || key.startsWith('proxy:')) return undefined;
  const known = TABLE.find(([pattern]) => pattern.test(key))?.[1];
  // A module for any program runs PHP where it is told to run such files.
  if (known !== undefined && extensions.some((extension) => PHP_EXTENSION.test(extension)))
    return { language: 'PHP', modules: known.modules };
  if (known !== undefined) return known;
  return /^(?:application\/|text\/)?x-httpd-/.test(key) ? { language: 'programs', modules: [] } : undefined;
}

/**
 * Whether a module registers a handler by this very name, whatever its release: a type is a name that lines make up
 * (mod_perl: modperl_response_handler; mod_python.c: python_handler; mod_wsgi.c; mod_fcgid.c; mod_fastcgi.c; mod_jk.c;
 * mod_mono.c).
 */
export function isNameOfModule(name: string): boolean {
  return /^(?:perl-script|modperl|mod_python|python-program|wsgi-script|fcgid-script|fastcgi-script|jakarta-servlet2?|mono|application\/x-httpd-php(?:-source)?)$/.test(
    name.toLowerCase(),
  );
}

/** Whether a handler of PHP shows the source instead of running it. */
export function showsSource(name: string): boolean {
  return /php\d?s$|-source$/.test(name.toLowerCase());
}

/** The handlers of PHP's module, by its identifier (sapi/apache2handler/sapi_apache2.c: PHP_MAGIC_TYPE, PHP_SCRIPT). */
const OF_PHP: Readonly<Record<(typeof PHP_MODULES)[number], string>> = {
  php5_module: 'php5-script',
  php7_module: 'php7-script',
  php_module: 'php-script',
};

export function isHandlerOfPhp(module: (typeof PHP_MODULES)[number], name: string): boolean {
  const key = name.toLowerCase();
  return key === OF_PHP[module] || /^application\/x-httpd-php(?:-source)?$/.test(key);
}
