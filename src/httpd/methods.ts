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
