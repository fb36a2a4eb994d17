import type { AuthorizationApi, RolePermission } from './azure-api.ts'
import { restList } from './rest-list.ts'
import type { SdkOptions } from './sdk-clients.ts'
import { asked } from './sdk-error.ts'

const PERMISSIONS_API_VERSION = '2022-04-01'

/**
 * Returns the API for the permissions of the caller's roles, over the same connection as the SDK's calls. The API has only one call, a
 * list, so it needs no SDK client.
 */
export const sdkAuthorization = ({ endpoint, http }: SdkOptions): AuthorizationApi => ({
  permissions: (id, signal) =>
    asked(() => {
      const first = new URL(`${id}/providers/Microsoft.Authorization/permissions`, endpoint)
      first.searchParams.set('api-version', PERMISSIONS_API_VERSION)
      return restList<RolePermission>(http, first, signal)
    }, signal),
})
