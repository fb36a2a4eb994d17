/** What other packages may use of the node class. This module imports no SDK. */
export { kwokNodeClassConditions } from './conditions.ts'
export {
  type KWOKNodeClass,
  type KWOKNodeClassSpec,
  type KWOKNodeClassStatus,
  kwokNodeClassKind,
  kwokNodeClassResource,
} from './kwok-node-class.ts'
