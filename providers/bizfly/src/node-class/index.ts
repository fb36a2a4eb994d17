/** The parts of the node class that other packages may use. */

export {
  type BizflyCloudNodeClass,
  type BizflyCloudNodeClassSpec,
  bizflyNodeClassKind,
  bizflyNodeClassResource,
} from './bizfly-node-class.ts'
export { bizflyNodeClassDescriptor } from './node-class-descriptor.ts'
