import { compileAdmission, coreResources, crdManifests, customResourceSchema, resourceAdmission } from '@kerf/apis'
import { type ConformanceCase, checkCase, clientView, libraryTarget } from '@kerf/apis/conformance'
import { expect, test } from 'vitest'
import { awsLabelCases } from '../testing/aws-label-cases.ts'
import { ec2NodeClassCases } from '../testing/ec2-node-class-cases.ts'
import { withAwsRules } from './aws-rules.ts'
import { ec2NodeClassResource } from './ec2-node-class.ts'

test.each(ec2NodeClassCases())('$name', async (each) => {
  expect(await checkCase(libraryTarget(resourceAdmission(ec2NodeClassResource)), each)).toBeUndefined()
})

test('the resource has the names, columns and subresources that clients expect', () => {
  expect(crdManifests({ resources: [ec2NodeClassResource] }).map(clientView)).toMatchInlineSnapshot(`
    [
      [
        "EC2NodeClass",
        "v1",
        "Cluster",
        [
          "ec2nc",
          "ec2ncs",
        ],
        [
          "karpenter",
        ],
        {
          "status": {},
        },
        [
          "Ready|string|.status.conditions[?(@.type=="Ready")].status|0",
          "Age|date|.metadata.creationTimestamp|0",
          "Role|string|.spec.role|1",
        ],
      ],
    ]
  `)
})

/** Compiles the admission of a core kind with the schema of the CRDs for AWS. */
const admissionFor = ({ kind }: ConformanceCase) => {
  const resource = coreResources.find((each) => each.kind === kind)
  if (resource === undefined) throw new Error(`${kind.kind} is not a core kind`)
  return compileAdmission({ kind, schema: withAwsRules(kind, customResourceSchema(resource)) })
}

test.each(awsLabelCases())('on AWS: $name', async (each) => {
  expect(await checkCase(libraryTarget(admissionFor(each)), each)).toBeUndefined()
})
