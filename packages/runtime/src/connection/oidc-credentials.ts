import type { Milliseconds } from '@kerf/apis'
import { ProblemError } from '@kerf/apis'
import type { CustomFetch } from 'openid-client'
import type { Dispatcher } from 'undici'
import type { Clock } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import { bearer, type Credential, type Credentials } from './credentials.ts'
import type { Network } from './network.ts'

/** The OIDC fields of `auth-provider.config` of a kubeconfig user. */
export interface OidcUser {
  readonly issuer?: string
  readonly clientId?: string
  readonly clientSecret?: string
  readonly idToken?: string
  readonly refreshToken?: string
  /** The CA certificates (PEM) of the identity provider. If absent, the system's certificates apply. */
  readonly ca?: string
}

/** The time limit for the handshakes with a server. It is the same as in client-go. */
const CONNECT_WITHIN: Milliseconds = 10_000

/** A token is renewed this long before its expiry, so that it does not expire during a request. */
const RENEW_BEFORE: Milliseconds = 10_000

/**
 * Provides the credentials (an ID token) of a kubeconfig user with `auth-provider: oidc`. If the token has expired and there is a refresh
 * token, the identity provider issues a new ID token. Kerf does not write the new token back to the kubeconfig. The library for the
 * protocol is loaded on first use.
 */
export class OidcCredentials implements Credentials {
  readonly #user: OidcUser
  readonly #clock: Clock
  readonly #network: Network | undefined
  #idToken: string | undefined
  #refreshToken: string | undefined
  #refreshing: Promise<void> | undefined
  #isRefused = false

  /** Without a `network`, Kerf reaches the provider directly and verifies it with Node's CA certificates. */
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

  /**
   * Returns whether the ID token must be refreshed. If there is no refresh token, Kerf uses the ID token as it is, and the server decides
   * whether it is valid.
   */
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
      if (answer.id_token === undefined) throw new ProblemError('its response has no ID token')
      this.#idToken = answer.id_token
      this.#refreshToken = answer.refresh_token ?? this.#refreshToken
      this.#isRefused = false
    } catch (error) {
      throw runtimeErrors.OidcRefresh({ issuer, cause: errorReason(error) }, { cause: error })
    }
  }
}

/**
 * Returns the reason for an error. The library's own messages are general; the provider's response (RFC 6749, 5.2) or the network
 * error is in the cause.
 */
const errorReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const said: readonly unknown[] = [Reflect.get(error, 'error'), Reflect.get(error, 'error_description')]
  const words = said.filter((word) => typeof word === 'string')
  if (words.length > 0) return words.join(': ')
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** Returns the expiry time of a token, according to its claims. A token without an expiry time is treated as expired. */
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

/**
 * Returns a `fetch` that uses the proxy of the environment, and trusts `ca` (PEM) or otherwise the system's CA certificates. The
 * global `fetch` has no option for either.
 */
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
