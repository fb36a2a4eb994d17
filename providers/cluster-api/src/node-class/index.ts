/** What other packages may use of the node class. It imports no SDK. */

export {
  type ClusterAPINodeClass,
  type ClusterAPINodeClassSpec,
  type ClusterAPINodeClassStatus,
  clusterApiNodeClassKind,
  clusterApiNodeClassResource,
} from './cluster-api-node-class.ts'
export { clusterApiNodeClassConditions } from './conditions.ts'
