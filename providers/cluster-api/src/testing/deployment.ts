import { type MachineDeployment, readMachineDeployment } from '../objects/machine-deployment.ts'
import type { MachineDeploymentOnWire } from '../objects/wire.ts'
import { sample } from './samples.ts'

const PREFIX = 'capacity.cluster-autoscaler.kubernetes.io/'

/** Returns annotations with the prefix of the capacity annotations. The keys of `short` are the suffixes. */
export const capacityAnnotations = (short: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(short).map(([key, value]) => [`${PREFIX}${key}`, value]))

/** Returns a real MachineDeployment, `default/small`, with these annotations instead of its own. */
export const annotatedDeployment = (
  annotations: Readonly<Record<string, string>>,
  changes: Partial<MachineDeployment> = {},
): MachineDeployment => ({
  ...readMachineDeployment(sample<MachineDeploymentOnWire>('v1beta2', 'machine-deployment')),
  annotations,
  ...changes,
})
