import { BlockList, isIP } from 'node:net'

type Environment = Readonly<Record<string, string | undefined>>

const variable = (env: Environment, name: string): string | undefined =>
  env[name] || env[name.toLowerCase()] || undefined

const matches = (pattern: string, host: string, port: string): boolean => {
  if (pattern === '*') return true
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4'
  const slash = pattern.indexOf('/')
  if (slash > 0) {
    const network = pattern.slice(0, slash)
    if (isIP(host) === 0 || isIP(network) !== isIP(host)) return false
    const list = new BlockList()
    list.addSubnet(network, Number(pattern.slice(slash + 1)), family)
    return list.check(host, family)
  }
  const [name = '', wantedPort] = isIP(pattern) === 6 ? [pattern] : pattern.split(':')
  if (wantedPort !== undefined && wantedPort !== port) return false
  const domain = name.replace(/^\*?\./, '')
  return host === domain || host.endsWith(`.${domain}`)
}

/**
 * The proxy for a server by the usual variables (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`; lower case too), read as Go reads
 * them: names match with their subdomains, addresses may be ranges, and loopback is never proxied.
 */
export const proxyFor = (server: string, env: Environment): string | undefined => {
  const url = new URL(server)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return undefined
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const exceptions = (variable(env, 'NO_PROXY') ?? '').split(',').map((part) => part.trim())
  if (exceptions.some((pattern) => pattern !== '' && matches(pattern, host, port))) return undefined
  return variable(env, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
}
