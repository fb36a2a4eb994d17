import { AccessTokens, type Credentials, HttpClient, type Send } from '@kerf/provider-kit'
import type { Clock, Random } from '@kerf/runtime'
import { encodeParameters } from './parameters.ts'

/** The credentials: an API token, or a user and a password. */
export type Account =
  | { readonly tokenId: string; readonly tokenSecret: string }
  | { readonly username: string; readonly password: string }

export interface CredentialsOptions {
  readonly url: string
  /**
   * Reads the account. Kerf calls it again after Proxmox has refused the credentials, so that a new secret takes effect without a restart.
   */
  readonly readAccount: () => Promise<Account>
  readonly send: Send
  readonly clock: Clock
  readonly random: Random
}

/** How long Proxmox accepts a ticket. */
const TICKET_LIFETIME = 2 * 3_600_000

interface Ticket {
  readonly ticket: string
  readonly CSRFPreventionToken: string
}

/** Returns the credentials for requests as one text: an API token, or a ticket with the CSRF prevention token for writes. */
const login = async (account: Account, { url, send, clock, random }: CredentialsOptions, signal: AbortSignal) => {
  if ('tokenId' in account) return { value: `${account.tokenId}=${account.tokenSecret}` }
  const client = new HttpClient({ send, clock, random })
  const body = encodeParameters({ username: account.username, password: account.password }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const target = new URL(`${url.replace(/\/$/, '')}/access/ticket`)
  const { text } = await client.call({ method: 'POST', url: target, headers, body }, signal)
  const { data }: { readonly data: Ticket } = JSON.parse(text)
  return { value: JSON.stringify(data), expiresAt: clock.now() + TICKET_LIFETIME }
}

const headersFor = (value: string): Readonly<Record<string, string>> => {
  if (!value.startsWith('{')) return { authorization: `PVEAPIToken=${value}` }
  const { ticket, CSRFPreventionToken }: Ticket = JSON.parse(value)
  return { cookie: `PVEAuthCookie=${ticket}`, CSRFPreventionToken }
}

/** Returns the credentials of one Proxmox cluster (`providers/proxmox/docs/spec/proxmox.md#settings-and-credentials`). */
export const proxmoxCredentials = (options: CredentialsOptions): Credentials =>
  new AccessTokens(options.clock, async (signal) => login(await options.readAccount(), options, signal), headersFor)
