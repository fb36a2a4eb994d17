import type { InstanceView, ProviderContext } from '@kerf/provider-contract'
import { instanceGarbageCollection } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import { type DevicesByType, deviceDrivers } from './device-drivers.ts'
import type { GoneInstances } from './gone-instances.ts'
import { nodeAppearance } from './node-appearance.ts'
import type { KwokSettings } from './settings.ts'
import { simulatedKubelet } from './simulated-kubelet.ts'

/** Returns the provider's controllers. */
export const kwokControllers = (
  context: ProviderContext,
  settings: KwokSettings,
  devices: DevicesByType,
  cloud: {
    readonly list: (signal: AbortSignal) => Promise<readonly InstanceView[]>
    readonly gone: GoneInstances
    readonly terminate: (instance: InstanceView, signal: AbortSignal) => Promise<void>
  },
): readonly Controller[] => [
  nodeAppearance(context, cloud.gone),
  instanceGarbageCollection({
    ...context,
    name: 'instance.garbagecollection',
    list: cloud.list,
    terminate: cloud.terminate,
  }),
  ...(devices.size > 0 ? [deviceDrivers(context, devices)] : []),
  ...(settings.simulateKubelet ? simulatedKubelet(context, settings) : []),
]
