import type { Milliseconds } from '@kerf/apis'
import type { CustomFetch } from 'openid-client'
import type { Dispatcher } from 'undici'
import type { Clock } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import { bearer, type Credential, type Credentials } from './credentials.ts'
import type { Network } from './network.ts'

/** `auth-provider.config` of a kubeconfig user, as far as it concerns OIDC. */
export interface OidcUser {
  readonly issuer?: string
  readonly clientId?: string
  readonly clientSecret?: string
  readonly idToken?: string
  readonly refreshToken?: string
  /** PEM of the authority of the identity provider; without it those of the system. */
  readonly ca?: string
}

/** client-go's limit for the handshakes with a server. */
const CONNECT_WITHIN: Milliseconds = 10_000

/** A token is renewed this long before it ends, so that none expires on the way. */
const RENEW_BEFORE: Milliseconds = 10_000

/**
 * Credentials of a kubeconfig user with `auth-provider: oidc`: the id token, refreshed through the identity provider
 * when it has expired and there is a refresh token. What is refreshed is not written back to the kubeconfig. The
 * library that speaks the protocol is loaded when first needed.
 */
export class OidcCredentials implements Credentials {
  readonly #user: OidcUser
  readonly #clock: Clock
  readonly #network: Network | undefined
  #idToken: string | undefined
  #refreshToken: string | undefined
  #refreshing: Promise<void> | undefined
  #isRefused = false

  /** Without a `network`, the provider is asked directly and checked against the authorities that Node trusts. */
  constructor(user: OidcUser, clock: Clock, network?: Network) {
    this.#network = network
    this.#user = user
    this.#clock = clock
    this.#idToken = user.idToken
    this.#refreshToken = user.refreshToken
  }

  async current(): Promise<Credential> {
    if (this.#mustRefresh()) {
      this.#refreshing ??= this.#refresh().finally(() => {
        this.#refreshing = undefined
      })
      await this.#refreshing
    }
    return this.#idToken === undefined ? {} : { authorization: bearer(this.#idToken) }
  }

  invalidate(): void {
    this.#isRefused = true
  }

  /** Without a refresh token the server decides whether the id token still counts. */
  #mustRefresh(): boolean {
    const { issuer, clientId } = this.#user
    if (issuer === undefined || clientId === undefined || this.#refreshToken === undefined) return false
    if (this.#idToken === undefined || this.#isRefused) return true
    return this.#clock.now() >= expiryOf(this.#idToken) - RENEW_BEFORE
  }

  async #refresh(): Promise<void> {
    const { issuer = '', clientId = '', clientSecret, ca } = this.#user
    try {
      const { customFetch, discovery, refreshTokenGrant } = await import('openid-client')
      const options = { [customFetch]: fetchThrough(this.#network, ca) }
      const provider = await discovery(new URL(issuer), clientId, clientSecret, undefined, options)
      const answer = await refreshTokenGrant(provider, this.#refreshToken ?? '')
      if (answer.id_token === undefined) throw new Error('its answer holds no id token')
      this.#idToken = answer.id_token
      this.#refreshToken = answer.refresh_token ?? this.#refreshToken
      this.#isRefused = false
    } catch (error) {
      throw runtimeErrors.OidcRefresh({ issuer, cause: reasonOf(error) }, { cause: error })
    }
  }
}

/** The library's errors are general; what the provider said (RFC 6749, 5.2) or what broke the connection is inside them. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const said: readonly unknown[] = [Reflect.get(error, 'error'), Reflect.get(error, 'error_description')]
  const words = said.filter((word) => typeof word === 'string')
  if (words.length > 0) return words.join(': ')
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** When a token ends, by its own word; a token that says nothing has ended. */
const expiryOf = (token: string): Milliseconds => {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const expiry: unknown = typeof claims === 'object' && claims !== null ? Reflect.get(claims, 'exp') : undefined
    return typeof expiry === 'number' ? expiry * 1000 : 0
  } catch {
    return 0
  }
}

const dispatcherFor = async (
  url: string,
  network: Network | undefined,
  ca: string | undefined,
): Promise<Dispatcher> => {
  const { Agent, buildConnector, ProxyAgent, Socks5ProxyAgent } = await import('undici')
  const trusted = url.startsWith('https:') ? (ca ?? network?.authorities()) : undefined
  const tls = {
    ...(trusted !== undefined && { ca: typeof trusted === 'string' ? trusted : [...trusted] }),
    allowPartialTrustChain: true,
  }
  const proxy = network?.proxyFor(url)
  if (proxy === undefined) return new Agent({ allowH2: false, connect: { ...tls, timeout: CONNECT_WITHIN } })
  if (!proxy.startsWith('socks5'))
    return new ProxyAgent({ uri: proxy, allowH2: false, requestTls: tls, proxyTls: tls, proxyTunnel: false })
  const connect = buildConnector({ servername: new URL(proxy).hostname, allowH2: false })
  return new Socks5ProxyAgent(proxy, { allowH2: false, requestTls: tls, connect })
}

/** `fetch` by the proxy of the environment, which trusts `ca` (PEM), or the authorities of the system: the global one has no option for either. */
const fetchThrough =
  (network: Network | undefined, ca: string | undefined): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const dispatcher = await dispatcherFor(url, network, ca)
    try {
      const { origin, pathname, search } = new URL(url)
      const answer = await dispatcher.request({
        origin,
        path: `${pathname}${search}`,
        method: method === 'POST' ? 'POST' : 'GET',
        headers,
        body: body === undefined || body === null ? null : String(body),
        ...(signal !== undefined && { signal }),
      })
      const sent = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
      return new Response(await answer.body.arrayBuffer(), { status: answer.statusCode, headers: sent })
    } finally {
      void dispatcher.close()
    }
  }
