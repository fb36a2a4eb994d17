import { readTextField } from '@kerf/provider-kit'

/** The identity in an access token. Fields that the token does not contain are undefined. */
export interface CallerIdentity {
  /** The object ID of the user, service principal or managed identity to which roles are assigned. */
  readonly objectId: string | undefined
  readonly clientId: string | undefined
  readonly tenant: string | undefined
}

/**
 * Reads the claims of an access token (https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference). Kerf only
 * displays them. Azure may change the token format, so no decision depends on them. If the format is unknown, the claims are undefined.
 */
export const readCaller = (token: string): CallerIdentity => {
  const [, payload = ''] = token.split('.')
  let claims: unknown
  try {
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  } catch {
    claims = {}
  }
  return {
    objectId: readTextField(claims, 'oid'),
    clientId: readTextField(claims, 'appid'),
    tenant: readTextField(claims, 'tid'),
  }
}
