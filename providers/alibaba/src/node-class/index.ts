/** The parts of the node class that other packages may use. This module imports no SDK. */

export * from '../label-names.ts'
export { ecsNodeClassConditions } from './conditions.ts'
export {
  type ECSNodeClass,
  type ECSNodeClassSpec,
  type ECSNodeClassStatus,
  ecsNodeClassKind,
  ecsNodeClassResource,
} from './ecs-node-class.ts'
export { ecsNodeClassDescriptor } from './node-class-descriptor.ts'
