export { OpenApiUtil } from '@alicloud/openapi-core'
