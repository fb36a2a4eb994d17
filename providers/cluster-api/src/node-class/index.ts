/** The parts of the node class that other packages may use. This module imports no SDK. */

export {
  type ClusterAPINodeClass,
  type ClusterAPINodeClassSpec,
  type ClusterAPINodeClassStatus,
  clusterApiNodeClassKind,
  clusterApiNodeClassResource,
} from './cluster-api-node-class.ts'
export { clusterApiNodeClassConditions } from './conditions.ts'
