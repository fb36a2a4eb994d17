/** The account of the fake: its region, cluster and keys. */
export const REGION = 'cn-hangzhou'
export const CLUSTER = 'c0123456789abcdef0123456789abcdef'
export const ZONES = ['cn-hangzhou-h', 'cn-hangzhou-i', 'cn-hangzhou-j'] as const
export const ACCESS_KEY = { id: 'LTAI5tFakeFakeFake', secret: 'fakeSecretFakeSecretFakeSecre' } as const
/** The token in the attach script, which must not be logged. */
export const JOIN_TOKEN = 'fake-join-token-0123456789'
