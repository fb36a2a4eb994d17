import type { LegacyTemplates } from '@kerf/apis/legacy'
import { AWS_GROUP, awsLabels } from '../../label-names.ts'
import { ec2NodeClassResource } from '../ec2-node-class.ts'
import { awsNodeTemplateConditions, awsNodeTemplateMeanings, awsNodeTemplateResource } from './aws-node-template.ts'
import { convertNodeClassSpec } from './convert-node-class.ts'
import { oldAwsSettings } from './old-aws-settings.ts'

/** Converts AWSNodeTemplates and older EC2NodeClasses to v1 EC2NodeClasses (`docs/spec/older-apis.md`). */
export const awsNodeTemplates: LegacyTemplates = {
  resource: awsNodeTemplateResource,
  conditions: awsNodeTemplateConditions,
  conditionMeanings: awsNodeTemplateMeanings,
  nodeClass: ec2NodeClassResource,
  olderVersions: ['v1beta1'],
  applies: 'where nodes are EC2 instances',
  convertSpec: convertNodeClassSpec,
  problemOf: ({ role, instanceProfile }) =>
    role === undefined && instanceProfile === undefined
      ? 'has neither role nor instanceProfile, so its instances cannot join: set spec.role (Kerf creates the instance profile) or spec.instanceProfile'
      : undefined,
  explainedRules: /exactly one of "role" and "instanceProfile"/,
  defaultRequirements: [
    {
      unless: [
        'node.kubernetes.io/instance-type',
        'beta.kubernetes.io/instance-type',
        awsLabels.family,
        awsLabels.category,
      ],
      add: [
        { key: awsLabels.category, operator: 'In', values: ['c', 'm', 'r'] },
        { key: awsLabels.generation, operator: 'Gt', values: ['2'] },
      ],
    },
  ],
  ownAnnotations: [
    `${AWS_GROUP}/nodetemplate-hash`,
    `${AWS_GROUP}/ec2nodeclass-hash`,
    `${AWS_GROUP}/ec2nodeclass-hash-version`,
  ],
  goneLabels: [`${AWS_GROUP}/instance-pods`],
  settings: oldAwsSettings,
}
