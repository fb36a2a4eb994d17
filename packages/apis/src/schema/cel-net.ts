import type { Environment } from '@marcbachmann/cel-js'
import { isCidr, isIPv4, isIPv6 } from './formats.ts'

/** This file implements the network types of CEL: addresses, networks and URLs. */

class CelAddress {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

class CelNetwork extends CelAddress {}

class CelUrl {
  readonly url: URL
  readonly isRelative: boolean

  constructor(text: string) {
    this.isRelative = text.startsWith('/')
    this.url = new URL(text, this.isRelative ? 'http://relative.invalid' : undefined)
  }
}

/** Registers `ip()`, `cidr()` and their predicates. */
export const registerAddresses = (environment: Environment): void => {
  const IP = 'net.IP'
  const CIDR = 'net.CIDR'
  const isIP = (text: string): boolean => isIPv4(text) || isIPv6(text)
  const need = (isRight: boolean, text: string, what: string): string => {
    if (!isRight) throw new RangeError(`${JSON.stringify(text)} is not ${what}`)
    return text
  }
  environment
    .registerType(IP, CelAddress)
    .registerType(CIDR, CelNetwork)
    .registerFunction('isIP(string): bool', isIP)
    .registerFunction('isCIDR(string): bool', isCidr)
    .registerFunction(`ip(string): ${IP}`, (text: string) => new CelAddress(need(isIP(text), text, 'an IP address')))
    .registerFunction(`cidr(string): ${CIDR}`, (text: string) => new CelNetwork(need(isCidr(text), text, 'a CIDR')))
    .registerFunction(`${IP}.family(): int`, ({ text }: CelAddress) => (isIPv4(text) ? 4n : 6n))
    .registerFunction(`${CIDR}.prefixLength(): int`, ({ text }: CelNetwork) => BigInt(text.split('/')[1] ?? 0))
    .registerFunction(`${CIDR}.ip(): ${IP}`, ({ text }: CelNetwork) => new CelAddress(text.split('/')[0] ?? ''))
}

const isUrl = (text: string): boolean => {
  try {
    new CelUrl(text)
    return true
  } catch {
    return false
  }
}

/** Registers `url()` and the functions that read a URL. */
export const registerUrls = (environment: Environment): void => {
  const Url = 'kubernetes.URL'
  const absolute =
    (part: (url: URL) => string) =>
    (value: CelUrl): string =>
      value.isRelative ? '' : part(value.url)
  environment
    .registerType(Url, CelUrl)
    .registerFunction('isURL(string): bool', isUrl)
    .registerFunction(`url(string): ${Url}`, (text: string) => new CelUrl(text))
    .registerFunction(
      `${Url}.getScheme(): string`,
      absolute((url) => url.protocol.replace(':', '')),
    )
    .registerFunction(
      `${Url}.getHost(): string`,
      absolute((url) => url.host),
    )
    .registerFunction(
      `${Url}.getHostname(): string`,
      absolute((url) => url.hostname),
    )
    .registerFunction(
      `${Url}.getPort(): string`,
      absolute((url) => url.port),
    )
    .registerFunction(`${Url}.getEscapedPath(): string`, ({ url }: CelUrl) => url.pathname)
}
