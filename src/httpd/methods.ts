/** The methods that httpd registers by itself (2.4 modules/http/http_protocol.c: ap_method_registry_init). */
const METHODS: ReadonlySet<string> = new Set(
  (
    'GET HEAD PUT POST DELETE CONNECT OPTIONS TRACE PATCH PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK ' +
    'VERSION-CONTROL CHECKOUT UNCHECKOUT CHECKIN UPDATE LABEL REPORT MKWORKSPACE MKACTIVITY BASELINE-CONTROL MERGE'
  ).split(' '),
);

/** Whether httpd knows a method without RegisterHttpMethod. @param method in the letter case of the request */
export function isRegistered(method: string): boolean {
  return METHODS.has(method);
}

/** How many methods httpd has room for besides those, two of which mod_dav takes (2.4 modules/http: METHOD_NUMBER_LAST). */
export const MOST_REGISTERED = 34;
