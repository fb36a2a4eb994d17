import type { ProviderConformance } from '@kerf/provider-contract/conformance'
import { clusterApiNodeClassCases } from './cluster-api-node-class-cases.ts'
import { notApplicable } from './not-applicable.ts'

/** Configures the contract's conformance suite for this provider. */
export const conformance: ProviderConformance = {
  notApplicable,
  driver: async () => (await import('./conformance-driver.ts')).clusterApiDriver,
  nodeClassCases: clusterApiNodeClassCases,
}
export { clusterApiAnnotations } from '../names.ts'
export { readMachine } from '../objects/machine.ts'
export { sizedDeployment } from './provider-harness.ts'
export { installClusterApi, simulatedKinds } from './simulator/definitions.ts'
export { MachineSetSimulator } from './simulator/machine-set-simulator.ts'
export {
  clusterObject,
  type DeploymentOptions,
  healthCheckObject,
  NAMESPACE,
  newTemplate,
  plantedMachine,
} from './simulator/management-objects.ts'
