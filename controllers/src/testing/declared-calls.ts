import { karpenterKinds } from '@kerf/apis'
import { kwokRights } from '@kerf/provider-kwok'
import { type KubeClient, runtimeRights } from '@kerf/runtime'
import { declaredOnly } from '@kerf/runtime/testing'
import type { ControllerSettings } from '../deps.ts'
import { controllerRights, rightOptions } from '../rights.ts'

const rights = [
  ...runtimeRights({ leaderElectionName: 'karpenter-leader-election' }),
  ...controllerRights([karpenterKinds.KWOKNodeClass]),
  ...kwokRights,
]

/** The client of a Kerf on the KWOK provider under these settings: a call that it has not declared fails the test. */
export const declaredCalls = (client: KubeClient, settings: ControllerSettings): KubeClient =>
  declaredOnly(client, rights, [...rightOptions(settings), 'SimulatedKubelet'])
