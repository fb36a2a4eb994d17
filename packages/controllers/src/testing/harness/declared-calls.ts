import { kwokPermissions, simulatedKubeletSwitch } from '@kerf/provider-kwok'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { type KubeClient, runtimePermissions } from '@kerf/runtime'
import { declaredOnly } from '@kerf/runtime/testing'
import type { ControllerSettings } from '../../deps.ts'
import type { LegacyOptions } from '../../legacy/legacy-deps.ts'
import { controllerPermissions, permissionOptions } from '../../permissions.ts'

const permissionsWith = (legacy: LegacyOptions | undefined) => [
  ...runtimePermissions({ leaderElectionName: 'karpenter-leader-election' }),
  ...controllerPermissions([kwokNodeClassKind], legacy?.templates),
  ...kwokPermissions,
]

/**
 * Returns a client that fails the test if a call needs a permission that Kerf does not declare. The declared permissions are those of Kerf
 * with the KWOK provider and these settings.
 */
export const declaredCalls = (
  client: KubeClient,
  settings: ControllerSettings,
  legacy: LegacyOptions | undefined,
): KubeClient => declaredOnly(client, permissionsWith(legacy), [...permissionOptions(settings), simulatedKubeletSwitch])
