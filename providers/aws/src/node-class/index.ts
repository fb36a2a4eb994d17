/** The parts of the node class that other packages may use. This module imports no SDK. */
export * from '../label-names.ts'
export { withAwsRules } from './aws-rules.ts'
export { ec2NodeClassConditions } from './conditions.ts'
export {
  type EC2NodeClass,
  type EC2NodeClassSpec,
  type EC2NodeClassStatus,
  ec2NodeClassKind,
  ec2NodeClassResource,
} from './ec2-node-class.ts'
export type { AWSNodeTemplate } from './legacy/aws-node-template.ts'
export { awsNodeTemplates } from './legacy/aws-node-templates.ts'
