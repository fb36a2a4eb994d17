import { BlockList, isIP, isIPv4 } from 'node:net'
import { ownValue } from '@kerf/apis'

type Environment = Readonly<Record<string, string | undefined>>

const variable = (env: Environment, name: string): string | undefined =>
  ownValue(env, name) || ownValue(env, name.toLowerCase()) || undefined

/** Returns whether an entry of NO_PROXY matches a server. */
type Exception = (host: string, port: string) => boolean

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** Parses a range of IP addresses like Go's net.ParseCIDR. Returns undefined if the entry is not a range. */
const rangeOf = (entry: string): Exception | undefined => {
  const [network = '', length, ...rest] = entry.split('/')
  if (length === undefined || rest.length > 0 || isIP(network) === 0 || !/^\d{1,3}$/.test(length)) return undefined
  if (Number(length) > (isIPv4(network) ? 32 : 128)) return undefined
  const list = new BlockList()
  list.addSubnet(network, Number(length), familyOf(network))
  return (host) => isIP(host) === isIP(network) && list.check(host, familyOf(host))
}

/** Splits host and port like Go's net.SplitHostPort. If the entry has no port, the whole entry is the host. */
const partsOf = (entry: string): { readonly host: string; readonly port?: string } => {
  const [, bracketed, after] = /^\[([^\]]*)\](?::(\d*))?$/.exec(entry) ?? []
  if (bracketed !== undefined) return { host: bracketed, ...(after === undefined ? {} : { port: after }) }
  const [host = '', port, ...rest] = entry.split(':')
  return port === undefined || rest.length > 0 ? { host: entry } : { host, port }
}

/**
 * Returns the check for an entry of NO_PROXY. `foo.example` matches that host and its subdomains. `.foo.example` and
 * `*.foo.example` match only the subdomains.
 */
const exceptionOf = (entry: string): Exception | undefined => {
  if (entry === '*') return () => true
  const range = rangeOf(entry)
  if (range !== undefined) return range
  const { host: name, port: wanted = '' } = partsOf(entry)
  if (name === '') return undefined
  const isPort = (port: string): boolean => wanted === '' || wanted === port
  if (isIP(name) !== 0) {
    const list = new BlockList()
    list.addAddress(name, familyOf(name))
    return (host, port) => isIP(host) === isIP(name) && list.check(host, familyOf(host)) && isPort(port)
  }
  const domain = name.startsWith('*.') ? name.slice(1) : name
  const below = domain.startsWith('.') ? domain : `.${domain}`
  return (host, port) => (host.endsWith(below) || host === domain) && isPort(port)
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))

/**
 * Returns the proxy for a server, according to `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, or the same names in lower case. They
 * are read as in Go (documentation of `golang.org/x/net/http/httpproxy`). NO_PROXY lists names (each with its subdomains),
 * addresses, ranges of addresses, and `*` for everything. Names and addresses may have a port. Loopback addresses are always
 * reached directly. If the proxy has no scheme, HTTP is used.
 */
export const proxyFor = (server: string, env: Environment): string | undefined => {
  const url = new URL(server)
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (isLoopback(host)) return undefined
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const entries = (variable(env, 'NO_PROXY') ?? '').split(',').map((entry) => entry.trim().toLowerCase())
  if (entries.some((entry) => exceptionOf(entry)?.(host, port) === true)) return undefined
  const proxy = variable(env, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')?.trim()
  if (proxy === undefined || proxy === '') return undefined
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`
}
