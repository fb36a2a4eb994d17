import { Readable } from 'node:stream'
import type { Credentials, HttpRequest } from '@kerf/provider-kit'
import { type Clock, type Random, textOfThrown } from '@kerf/runtime'
import { alibabaErrors } from '../alibaba-errors.ts'

/** The keys with which requests are signed. */
export interface AccessKeys {
  readonly accessKeyId?: string
  readonly accessKeySecret?: string
  readonly securityToken?: string
}

/** The functions of the vendor's SDK that the provider uses. */
export interface Sdk {
  /** Flattens the parameters of an RPC action to names such as `Name.1.Field`. */
  flatten(parameters: object): Readonly<Record<string, string>>
  /** Returns a request with the signature ACS3-HMAC-SHA256 and the headers that it covers. */
  sign(request: HttpRequest, keys: AccessKeys, at: { readonly time: number; readonly nonce: string }): HttpRequest
}

const ALGORITHM = 'ACS3-HMAC-SHA256'

/**
 * Loads the parts of the vendor's SDK that encode parameters and sign requests. Does not load the generated product clients, because their
 * models take seven seconds and 190 MiB. A test proves that these clients send the same requests.
 */
export const loadSdk = async (): Promise<Sdk> => {
  const { OpenApiUtil } = await import('./clients/openapi.ts')
  return {
    flatten: (parameters) => OpenApiUtil.query({ ...parameters }),
    sign: ({ method, url, headers = {}, body }, { accessKeyId = '', accessKeySecret = '', securityToken = '' }, at) => {
      const hash = OpenApiUtil.hash(Buffer.from(body ?? ''), ALGORITHM).toString('hex')
      const signed: Readonly<Record<string, string>> = {
        ...headers,
        host: url.host,
        accept: 'application/json',
        'x-acs-date': `${new Date(at.time).toISOString().slice(0, 19)}Z`,
        'x-acs-signature-nonce': at.nonce,
        'x-acs-content-sha256': hash,
        ...(securityToken === '' ? {} : { 'x-acs-accesskey-id': accessKeyId, 'x-acs-security-token': securityToken }),
      }
      const request = {
        ...{ protocol: 'https', port: 443, domain: url.host, method, pathname: url.pathname, headers: signed },
        ...{ query: Object.fromEntries(url.searchParams), body: Readable.from([]) },
      }
      const authorization = OpenApiUtil.getAuthorization(request, ALGORITHM, hash, accessKeyId, accessKeySecret)
      return { method, url, headers: { ...signed, authorization }, ...(body === undefined ? {} : { body }) }
    },
  }
}

/**
 * Returns a function that reads the keys from the vendor's credential chain: environment variables, RRSA, the configuration file, and the
 * instance's role. After a failure, the function creates a new chain, because the old one would keep using the failed source.
 */
export const keyChain = async (): Promise<() => Promise<AccessKeys>> => {
  const { DefaultCredentialsProvider } = await import('./clients/credentials.ts')
  const begin = () => DefaultCredentialsProvider.builder().build()
  let chain = begin()
  return async () => {
    try {
      return await chain.getCredentials()
    } catch (error) {
      chain = begin()
      throw error
    }
  }
}

/** Returns credentials that sign every attempt of a request with the keys that are valid at that time. */
export const signingCredentials = (
  sdk: Sdk,
  keys: () => Promise<AccessKeys>,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Credentials => ({
  authorize: async (request) => {
    let current: AccessKeys
    try {
      current = await keys()
    } catch (error) {
      throw alibabaErrors.NoAlibabaCredentials({ problem: textOfThrown(error) }, { cause: error })
    }
    return sdk.sign(request, current, { time: clock.now(), nonce: random.uuid() })
  },
  // The vendor's credential chain refreshes temporary keys before they expire, and reads permanent keys again for each request.
  invalidate: () => {},
})
