import type { Milliseconds } from '@kerf/apis'
import type { HttpRequest } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import { ArmError } from './arm-response.ts'

const LIFE: Milliseconds = 3_600_000

const CHALLENGE = {
  'www-authenticate': 'Bearer authorization_uri="https://login.microsoftonline.com/", error="invalid_token"',
}

/** The tokens that Active Directory issues, with the properties that Resource Manager checks. */
export class FakeTokens {
  /** Whether tokens are issued. */
  hasIdentity = true
  readonly #clock: Clock
  /** The expiry of each token. */
  readonly #given = new Map<string, Milliseconds>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns a token as Active Directory issues it. */
  give(): { readonly token: string; readonly expiresOnTimestamp: number } {
    if (!this.hasIdentity) throw new Error('AADSTS700016: Application was not found in the directory')
    const token = `token-${this.#given.size + 1}`
    this.#given.set(token, this.#clock.now() + LIFE)
    return { token, expiresOnTimestamp: this.#clock.now() + LIFE }
  }

  /** Invalidates all tokens. */
  revoke(): void {
    for (const token of this.#given.keys()) this.#given.set(token, 0)
  }

  /** Checks the token of a request. @throws ArmError if it is missing or invalid. */
  check({ headers = {} }: HttpRequest): void {
    const bearer = /^Bearer (.*)$/.exec(headers['authorization'] ?? '')?.[1]
    const expires = bearer === undefined ? undefined : this.#given.get(bearer)
    if (expires === undefined)
      throw new ArmError(
        401,
        'AuthenticationFailed',
        "Authentication failed. The 'Authorization' header is missing.",
        CHALLENGE,
      )
    if (expires <= this.#clock.now())
      throw new ArmError(
        401,
        'ExpiredAuthenticationToken',
        'The access token expiry is before the current time.',
        CHALLENGE,
      )
  }
}
