/** A percent sign that no two hexadecimal digits follow. */
const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2})/
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+(?<rest>.*)$/i

/**
 * Path and query of a request line's target, or `undefined` when it holds none. Takes the origin form and, as every
 * server must, the absolute form (RFC 9112, 3.2); `*` and the authority form address no resource. Escapes that are none
 * are refused, as Go's `net/url` does.
 */
export const targetOf = (written: string | undefined): string | undefined => {
  if (written === undefined || BROKEN_ESCAPE.test(written)) return undefined
  if (written.startsWith('/')) return written
  const rest = ABSOLUTE.exec(written)?.groups?.['rest']
  if (rest === undefined) return undefined
  return rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * A target taken apart. The host is made up: a target that begins with two slashes must not be read as one.
 */
export const urlOf = (target: string): URL => new URL(`http://localhost${target}`)
