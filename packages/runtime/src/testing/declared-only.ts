import type { KubeClient } from '../kube-client/kube-client.ts'
import { guardedClient } from '../permissions/guarded-client.ts'
import type { Permission, PermissionCondition } from '../permissions/permission.ts'
import { noteRefusal } from './refusals.ts'

/**
 * Returns a client for tests of Kerf that refuses calls without a declared permission. The test fails even if the caller handles
 * the error (`tests/support/setup/declared-permissions.ts`).
 */
export const declaredOnly = (
  client: KubeClient,
  permissions: readonly Permission[],
  options: readonly PermissionCondition[] = [],
  namespace = 'kube-system',
): KubeClient => guardedClient(client, { permissions, options, namespace, onRefusal: noteRefusal })
