// The exports of the STS client that Kerf uses. Listing them here keeps the rest of the client out of the bundle.
export { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
