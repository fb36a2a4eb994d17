/** What other packages may use of the node class. It imports no SDK. */

export * from '../label-names.ts'
export {
  type AKSNodeClass,
  type AKSNodeClassSpec,
  type AKSNodeClassStatus,
  aksNodeClassKind,
  aksNodeClassResource,
} from './aks-node-class.ts'
export { aksNodeClassConditions } from './conditions.ts'
