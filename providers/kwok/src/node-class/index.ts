/** The parts of the node class that other packages may use. This module imports no SDK. */
export { kwokNodeClassConditions } from './conditions.ts'
export {
  type KWOKNodeClass,
  type KWOKNodeClassSpec,
  type KWOKNodeClassStatus,
  kwokNodeClassKind,
  kwokNodeClassResource,
} from './kwok-node-class.ts'
