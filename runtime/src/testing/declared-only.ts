import type { KubeClient } from '../kube-client/kube-client.ts'
import { guardedClient } from '../permissions/guarded-client.ts'
import type { Permission, PermissionCondition } from '../permissions/permission.ts'
import { noteRefusal } from './refusals.ts'

/**
 * The client of a tested Kerf: it refuses what the permissions do not cover, and the test in which that happens fails,
 * whatever the caller makes of the error (`test/setup/declared-permissions.ts`).
 */
export const declaredOnly = (
  client: KubeClient,
  permissions: readonly Permission[],
  options: readonly PermissionCondition[] = [],
  namespace = 'kube-system',
): KubeClient => guardedClient(client, { permissions, options, namespace, onRefusal: noteRefusal })
