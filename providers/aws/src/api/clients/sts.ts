// What is called of STS. Named here so that a bundle leaves the rest of the client out.
export { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
