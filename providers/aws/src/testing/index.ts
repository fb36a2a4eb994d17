export { FakeAws, instantWindows } from './fake-aws/fake-aws.ts'
export { FakeEc2, fakePrice } from './fake-aws/fake-ec2.ts'
export type { Fault } from './fake-aws/faults.ts'
export { VECTOR_CA_BUNDLE, vectorSpec } from './hash-vectors.ts'
