import { textFieldOf } from '@kerf/provider-kit'

/** The identity in an access token, as far as the token contains it. */
export interface CallerIdentity {
  /** The object ID of the user, service principal or managed identity to which roles are assigned. */
  readonly objectId: string | undefined
  readonly clientId: string | undefined
  readonly tenant: string | undefined
}

/**
 * Reads the claims of an access token (https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference). They
 * are only displayed. Azure may change the token format, so nothing depends on them, and a token in another format has unknown
 * claims.
 */
export const callerOf = (token: string): CallerIdentity => {
  const [, payload = ''] = token.split('.')
  let claims: unknown
  try {
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  } catch {
    claims = {}
  }
  return {
    objectId: textFieldOf(claims, 'oid'),
    clientId: textFieldOf(claims, 'appid'),
    tenant: textFieldOf(claims, 'tid'),
  }
}
