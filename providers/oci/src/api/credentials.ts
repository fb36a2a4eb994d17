import type { Credentials, HttpRequest } from '@kerf/provider-kit'
import { type Clock, type Random, textOfThrown } from '@kerf/runtime'
import type { AuthenticationDetailsProvider, RequestSigner } from 'oci-common'
import { ociErrors } from '../oci-errors.ts'
import type { AuthMethod } from './auth-method.ts'
import { sdkModules } from './sdk-modules.ts'

/** An identity that signs requests, and the region from the same source. */
export interface Identity {
  readonly details: AuthenticationDetailsProvider
  readonly region: string | undefined
}

const optional = (text: string): string | undefined => (text === '' ? undefined : text)

/** Reads the credentials through Oracle's SDK, which supports every source. Does not cache them. */
export const readIdentity = async (method: AuthMethod): Promise<Identity> => {
  const sdk = await sdkModules.common()
  switch (method.kind) {
    case 'workload-identity':
      return { details: sdk.OkeWorkloadIdentityAuthenticationDetailsProvider.builder('', ''), region: undefined }
    case 'instance-principal': {
      const details = await new sdk.InstancePrincipalsAuthenticationDetailsProviderBuilder().build()
      return { details, region: details.getRegion().regionId }
    }
    case 'config-file': {
      const details = new sdk.ConfigFileAuthenticationDetailsProvider(optional(method.file), optional(method.profile))
      return { details, region: details.getRegion()?.regionId }
    }
    case 'session': {
      const details = new sdk.SessionAuthDetailProvider(optional(method.file), optional(method.profile))
      return { details, region: details.getRegion()?.regionId }
    }
    case 'api-key': {
      const { tenancy, user, fingerprint, privateKey, passphrase } = method.key
      return {
        details: new sdk.SimpleAuthenticationDetailsProvider(
          tenancy,
          user,
          fingerprint,
          privateKey,
          optional(passphrase) ?? null,
        ),
        region: undefined,
      }
    }
  }
}

export interface SigningDeps {
  readonly clock: Clock
  readonly random: Random
  readonly method: AuthMethod
  /** Reads the credentials. Tests replace it. */
  readonly read?: (method: AuthMethod) => Promise<Identity>
}

/** The headers that the SDK signs, with the time and the request id of this attempt. */
const unsignedHeaders = ({ headers = {} }: HttpRequest, { clock, random }: SigningDeps): Headers => {
  const signed = new Headers({ ...headers })
  signed.set('x-date', new Date(clock.now()).toUTCString())
  signed.set('opc-request-id', random.uuid().replaceAll('-', '').toUpperCase())
  return signed
}

/**
 * Returns credentials that sign each attempt with the SDK's signer. If Oracle Cloud refuses a call, the credentials are read again, because
 * a key file may have changed or a workload token may have expired early.
 */
export const signingCredentials = (deps: SigningDeps): Credentials => {
  const { method, read = readIdentity } = deps
  let signer: Promise<RequestSigner> | undefined
  const newSigner = async (): Promise<RequestSigner> => {
    const [{ DefaultRequestSigner }, { details }] = await Promise.all([sdkModules.common(), read(method)])
    return new DefaultRequestSigner(details)
  }
  return {
    authorize: async (request) => {
      const { method: verb, url, body } = request
      const headers = unsignedHeaders(request, deps)
      try {
        signer ??= newSigner()
        const unsigned = { method: verb, uri: url.href, headers, ...(body === undefined ? {} : { body }) }
        await (await signer).signHttpRequest(unsigned)
      } catch (error) {
        signer = undefined
        throw ociErrors.NoOciCredentials({ method: method.kind, problem: textOfThrown(error) }, { cause: error })
      }
      return { ...request, headers: Object.fromEntries(headers) }
    },
    invalidate: () => {
      signer = undefined
    },
  }
}
