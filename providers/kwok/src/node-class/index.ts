/** What other packages may use of the node class. It imports no SDK. */
export { kwokNodeClassConditions } from './conditions.ts'
export {
  type KWOKNodeClass,
  type KWOKNodeClassSpec,
  type KWOKNodeClassStatus,
  kwokNodeClassKind,
  kwokNodeClassResource,
} from './kwok-node-class.ts'
