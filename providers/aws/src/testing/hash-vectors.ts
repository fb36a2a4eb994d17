/**
 * The spec from which the test vectors of the node class hash are made, without family and selectors
 * (`providers/aws/docs/spec/aws-node-class.md#drift-hash`).
 */
export const vectorSpec = {
  role: 'role-1',
  tags: { 'keyTag-1': 'valueTag-1', 'keyTag-2': 'valueTag-2' },
  context: 'fake-context',
  detailedMonitoring: false,
  associatePublicIPAddress: false,
  metadataOptions: {
    httpEndpoint: 'disabled',
    httpProtocolIPv6: 'disabled',
    httpPutResponseHopLimit: 1,
    httpTokens: 'optional',
  },
  blockDeviceMappings: [
    {
      deviceName: 'map-device-1',
      ebs: {
        deleteOnTermination: false,
        encrypted: false,
        iops: 0,
        kmsKeyID: 'fakeKMSKeyID',
        snapshotID: 'fakeSnapshot',
        throughput: 0,
        volumeSize: '2G',
        volumeType: 'standard',
      },
    },
    { deviceName: 'map-device-2' },
  ],
  userData: 'userdata-test-1',
} as const

/** The certificate authority of the test vectors, as passed to nodes. */
export const VECTOR_CA_BUNDLE = 'test-ca-bundle'
