/** The parts of the node class that other packages may use. This module imports no SDK. */

export * from '../label-names.ts'
export {
  type AKSNodeClass,
  type AKSNodeClassSpec,
  type AKSNodeClassStatus,
  aksNodeClassKind,
  aksNodeClassResource,
} from './aks-node-class.ts'
export { aksNodeClassConditions } from './conditions.ts'
