import type { ProviderContext } from '@kerf/provider-contract'
import type { Controller } from '@kerf/runtime'
import { type NodeChoice, NodeHeartbeat } from './kubelet/node-heartbeat.ts'
import { PodLife } from './kubelet/pod-life.ts'
import type { KwokSettings } from './settings.ts'

/**
 * The kubelets of the provider's nodes, or of those chosen: nodes become and remain Ready, pods bound to them run, deleted pods stop. With
 * this a real API server, scheduler and controller manager need no kwok simulator beside them.
 */
export const simulatedKubelet = (
  context: ProviderContext,
  settings: KwokSettings,
  isSimulated?: NodeChoice,
): readonly Controller[] => [
  new NodeHeartbeat(context, settings, isSimulated).controller(),
  new PodLife(context, isSimulated).controller(),
]
