// The exports of the Pricing client that Kerf uses. Listing them here keeps the rest of the client out of the bundle.
export { PricingClient, paginateGetProducts } from '@aws-sdk/client-pricing'
