/** Matches a percent sign that is not followed by two hexadecimal digits. */
const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2})/
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+(?<rest>.*)$/i

/**
 * Returns the path and query of a request line's target, or `undefined` if it has none. Accepts the origin form and, as every
 * server must, the absolute form (RFC 9112, 3.2). `*` and the authority form name no resource. Invalid escapes are refused, as in
 * Go's `net/url`.
 */
export const parseRequestTarget = (written: string | undefined): string | undefined => {
  if (written === undefined || BROKEN_ESCAPE.test(written)) return undefined
  if (written.startsWith('/')) return written
  const rest = ABSOLUTE.exec(written)?.groups?.['rest']
  if (rest === undefined) return undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Parses a target. Because of the placeholder host, the parser does not read a target that starts with two slashes as a host. */
export const requestUrl = (target: string): URL => new URL(`http://localhost${target}`)
