import type { ProviderContext } from '@kerf/provider-contract'
import type { Controller } from '@kerf/runtime'
import { NodeHeartbeat } from './kubelet/node-heartbeat.ts'
import { PodLife } from './kubelet/pod-life.ts'
import type { KwokSettings } from './settings.ts'

/**
 * The kubelets of the provider's nodes: nodes become and remain Ready, pods bound to them run, deleted pods stop. With
 * this a real API server, scheduler and controller manager need no kwok simulator beside them.
 */
export const simulatedKubelet = (context: ProviderContext, settings: KwokSettings): readonly Controller[] => [
  new NodeHeartbeat(context, settings).controller(),
  new PodLife(context).controller(),
]
