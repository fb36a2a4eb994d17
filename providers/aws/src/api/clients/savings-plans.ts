// The exports of the Savings Plans client that Kerf uses. Listing them here keeps the rest of the client out of the bundle.
export {
  DescribeSavingsPlanRatesCommand,
  DescribeSavingsPlansCommand,
  SavingsplansClient,
} from '@aws-sdk/client-savingsplans'
