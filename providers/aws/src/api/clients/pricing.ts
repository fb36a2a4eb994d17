// What is called of the Pricing API. Named here so that a bundle leaves the rest of the client out.
export { PricingClient, paginateGetProducts } from '@aws-sdk/client-pricing'
