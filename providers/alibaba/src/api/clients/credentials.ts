export { DefaultCredentialsProvider } from '@alicloud/credentials'
