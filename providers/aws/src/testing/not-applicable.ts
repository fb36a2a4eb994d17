import type { CheckId } from '@kerf/provider-contract/conformance'

/** The checks of the provider contract that do not apply to AWS, each with the reason. */
export const notApplicable: Partial<Readonly<Record<CheckId, string>>> = {
  C24: 'an instant fleet answers with what it launched; nothing fails later',
  C28: 'tags are part of CreateFleet',
  D08: 'volumes and interfaces end with the instance, by EC2',
  B10: 'nothing of an instance but its tags can be changed in place',
  X04: 'credentials are the SDK’s, which renews them by itself',
  X06: 'a story of its own: providers/aws/tests/process.aws.test.ts',
}
