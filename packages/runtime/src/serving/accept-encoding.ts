import type { IncomingHttpHeaders } from 'node:http'

/** Returns whether the client accepts gzip (RFC 9110, 12.5.3): by name or with `*`, and without a weight of 0. */
export const acceptsGzip = (headers: IncomingHttpHeaders): boolean => {
  const weights = new Map<string, number>()
  for (const item of String(headers['accept-encoding'] ?? '').split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
