import type { ProviderContext } from '@kerf/provider-contract'
import type { Controller } from '@kerf/runtime'
import { type NodeChoice, NodeHeartbeat } from './kubelet/node-heartbeat.ts'
import { PodLife } from './kubelet/pod-life.ts'
import type { KwokSettings } from './settings.ts'

/**
 * Returns controllers that simulate the kubelets of the provider's nodes, or of a selection of nodes: nodes become Ready and remain Ready,
 * pods on them run, and deleted pods stop. With these controllers, a real API server, scheduler and controller manager need no kwok
 * simulator.
 */
export const simulatedKubelet = (
  context: ProviderContext,
  settings: KwokSettings,
  isSimulated?: NodeChoice,
): readonly Controller[] => [
  new NodeHeartbeat(context, settings, isSimulated).controller(),
  new PodLife(context, isSimulated).controller(),
]
